import { Modal } from '#portal/ui/modal.tsx'
import { type KeyLine, showKeyMap } from '#portal/keyboard/key-map.ts'
import { hereAtom } from '#portal/keyboard/focus.ts'
import { keyGroups } from '#portal/keyboard/key-words.ts'
import { knownCommands } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { selectionAtom } from '#portal/list/target.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

function Group({ title, lines }: { title: string; lines: readonly KeyLine[] }) {
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="pb-1.5 text-small font-semibold">{title}</h3>
      <dl className="grid gap-1">
        {lines.map((line) => (
          <div key={line.says} className="flex items-baseline gap-3">
            <dd className="text-muted">{line.says}</dd>
            <dt className="ml-auto flex shrink-0 gap-1">
              {line.chords.map((chord) => (
                <Kbd key={chord} chord={chord} hidden={false} />
              ))}
            </dt>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The title of the page, `Dashboard`. */
const pageTitle = () => document.title.split(' - ')[0]

/** All keys, of commands and of navigation; those of the focused part come first. */
export function KeyMap() {
  return (
    <Modal title="Keys" wide onClose={() => showKeyMap(false)}>
      {/* At the top, so that the focused button and the start of the map are both visible. */}
      <button type="button" className="btn absolute top-3.5 right-4" data-autofocus onClick={() => showKeyMap(false)}>
        Close <Kbd chord="Escape" />
      </button>
      <div className="columns-3 gap-8 pt-2.5 max-[800px]:columns-1">
        {keyGroups(knownCommands(), store.get(hereAtom), store.get(selectionAtom)?.entity, pageTitle()).map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </Modal>
  )
}
