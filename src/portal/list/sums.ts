import { changes } from '#kernel/command.ts'
import { commandById } from '#portal/app/registry.ts'
import { store } from '#portal/app/store.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { mainListAtom, tabListAtom } from '#portal/list/lists.ts'

/** Reads the sums of lists anew after a change of one row; after a plan, which may touch more, the list is read whole. */
export const watchSums = (): (() => void) =>
  store.sub(historyAtom, () => {
    const command = commandById(store.get(historyAtom)[0]?.command ?? '')
    if (command && changes(command) && command.plan) return
    for (const at of [mainListAtom, tabListAtom]) {
      const list = store.get(at)
      if (list?.definition.source.totals) list.count(true)
    }
  })
