import { useId, useRef } from 'react'
import type { Control } from 'react-hook-form'
import type { PagePreview } from '#kernel/page-form.ts'
import { ConfirmField } from '#portal/form/fields/confirm-field.tsx'
import { Checking } from '#portal/form/line.tsx'
import { Aside, Problems, Restored, SaveBar, Sections } from '#portal/form/page/page-parts.tsx'
import { PageRow } from '#portal/form/page/page-row.tsx'
import { PageAlerts } from '#portal/form/page/page-alerts.tsx'
import { type PageFormOptions, usePageSession } from '#portal/form/page/use-page-session.ts'
import { useTyped } from '#portal/form/session/use-session.ts'
import type { Values } from '#kernel/form-values.ts'
import { type Later, Part } from '#portal/ui/later.tsx'
import type { BesideForm } from '#portal/ui/screen.ts'
import { Kbd } from '#portal/ui/kbd.tsx'
import '#portal/form/page/page-form.css'

interface PageFormProps extends PageFormOptions {
  /** The source of values that are inherited; null if the record always has its own. */
  inherited: Readonly<Record<string, string | null>> | null
  /** Preview of a save; without it nothing is shown beside the fields. */
  preview?: ((params: Values) => PagePreview | null) | null
  /** Names of read-only fields. */
  fixed?: readonly string[]
  /** Shown beside the fields, about the values typed so far. */
  beside?: Later<BesideForm> | undefined
  /** The fetched data that the page was built from. */
  facts?: unknown
}

/**
 * The form of a command as a page: sections, changes against the saved values, problems, and one save bar. Independent of the
 * noun.
 */
export function PageForm(props: PageFormProps) {
  const { page, saved, inherited, confirms, frozen } = props
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const { form, unparsed, fields, sections, toField, toSection, keys, ...pageSession } = usePageSession(props, element)
  const { session, state, draft, turn, confirm, blocked, refuse, discard, save, check, restore, set } = pageSession
  const { control } = form
  const isBusy = state === 'submitting' || state === 'unknown'
  const titles = new Map(fields.map((field) => [field.name, field.title]))

  return (
    <form
      ref={element}
      noValidate
      className={`page-form ${props.preview ? 'page-beside' : ''} ${props.beside ? 'page-tooled' : ''}`}
      tabIndex={-1}
      aria-label={page.title}
      aria-busy={isBusy}
      onKeyDown={keys}
      onBlur={pageSession.left}
      onFocus={pageSession.noteFocus}
      onSubmit={(event) => event.preventDefault()}
    >
      <Sections control={control} fields={fields} sections={sections} saved={saved} go={toSection} />
      <div className="page-fields">
        {frozen && <Checking place="this page" />}
        {draft && <Restored control={control} fields={fields} saved={saved} clear={discard} />}
        <Problems control={control} fields={fields} go={toField} />
        <div inert={frozen}>
          {sections.map((section) => (
            <section key={section} data-section={section} aria-labelledby={`${formId}-${section}`}>
              <h2 id={`${formId}-${section}`}>{section}</h2>
              {fields
                .filter((field) => (field.section ?? '') === section)
                .map((field) => (
                  <PageRow
                    key={`${turn} ${field.name}`}
                    field={field}
                    control={control}
                    formId={formId}
                    saved={saved[field.name]}
                    source={inherited?.[field.name]}
                    levelled={inherited !== null}
                    decidedBy={titles.get(field.when?.field ?? '')}
                    fixed={props.fixed?.includes(field.name) ?? false}
                    isNew={page.makes ?? false}
                    check={check}
                    unparsed={unparsed}
                    restore={session.submitting ? null : restore}
                  />
                ))}
            </section>
          ))}
        </div>
      </div>
      {props.preview && <Aside control={control} fields={fields} preview={props.preview} />}
      {props.beside && (
        <aside className="page-tools" aria-label="Beside the form">
          <BesideFields of={props.beside} control={control} facts={props.facts} set={set} refuse={refuse} />
        </aside>
      )}
      <SaveBar control={control} fields={fields} saved={saved} blocked={blocked} confirms={confirms !== null}>
        {(count) => (
          <>
            {!frozen && (
              <PageAlerts
                control={control}
                fields={fields}
                saved={saved}
                failure={session.failure}
                asks={Object.keys(session.conflicts)}
                go={toField}
                asShown={blocked ? null : pageSession.sendAsShown}
                button={pageSession.asShownButton}
              />
            )}
            {count > 0 && confirms && !frozen && !blocked && (
              <div className="page-confirm">
                <p>{confirms.sentence}</p>
                <ConfirmField {...confirm.field} />
              </div>
            )}
            <span className="page-buttons">
              <button
                type="button"
                className="btn"
                aria-disabled={count === 0 || frozen}
                onClick={() => count && !frozen && discard()}
              >
                Discard
              </button>
              <button
                type="button"
                className={`btn ${confirms ? '' : 'btn-go'}`}
                aria-disabled={count === 0 || blocked !== null || isBusy}
                onClick={save}
              >
                Save <Kbd chord="Mod+Enter" />
              </button>
            </span>
          </>
        )}
      </SaveBar>
    </form>
  )
}

interface BesideFieldsProps extends Omit<BesideForm, 'values'> {
  of: Later<BesideForm>
  control: Control<Values>
}

/** Shown beside the fields; renders with every change of the values, without the fields. */
function BesideFields({ of, control, ...rest }: BesideFieldsProps) {
  const values = useTyped(control)
  return <Part of={of} props={{ ...rest, values }} />
}
