import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { serviceKitTexts } from '../texts.ts'
import { selectTasks } from './kit/data.ts'
import { listServiceSpecs, requireServiceSpec } from './kit/registry.ts'
import { buildTaskView, translateServiceTitle, translateServiceWord } from './records/view.ts'
import { RECORD_LANG } from '#platform/shared/languages.ts'

const ROWS = 10_000

/** Paid live tasks block closing the account, except those of services that end with it (`endsWithAccount`). */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const names = new Set(listServiceSpecs().map(({ name }) => name))
  const live = await selectTasks(db, { userId, phases: ['waiting', 'using'], limit: ROWS })
  return live
    .filter((task) => names.has(task.service) && task.money !== 'none' && !requireServiceSpec(task.service).endsWithAccount)
    .map((task) => ({
      code: 'service',
      text: fill(serviceKitTexts[lang].close_task, {
        title: translateServiceTitle(task.service, lang),
        product: translateServiceWord(task.service, 'product', { name: task.product, lang }),
      }),
      path: requireServiceSpec(task.service).path,
    }))
}

/** Exports the tasks as pages show them, with the user's input. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const names = new Set(listServiceSpecs().map(({ name }) => name))
  const tasks = (await selectTasks(db, { userId, limit: ROWS })).filter(({ service }) => names.has(service))
  if (!tasks.length) return undefined
  return tasks.map((task) => ({ ...buildTaskView(task, RECORD_LANG), facts: task.facts }))
}

export const servicesPersonal: PersonalData = { blockersOf, exportOf }
