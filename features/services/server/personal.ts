import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { serviceTexts } from '../texts.ts'
import { tasksOf } from './kit/data.ts'
import { allSpecs, specOf } from './kit/registry.ts'
import { taskView, titleOf, wordOf } from './records/view.ts'

const ROWS = 10_000

/** Paid live tasks block closing the account, except those of services that end with it (`endsWithAccount`). */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const names = new Set(allSpecs().map(({ name }) => name))
  const live = await tasksOf(db, { userId, phases: ['waiting', 'using'], limit: ROWS })
  return live
    .filter((task) => names.has(task.service) && task.money !== 'none' && !specOf(task.service).endsWithAccount)
    .map((task) => ({
      code: 'service',
      text: fill(serviceTexts[lang].close_task, { title: titleOf(task.service, lang), product: wordOf(task.service, 'product', task.product, lang) }),
      path: specOf(task.service).path,
    }))
}

/** Exports the tasks as pages show them, with the user's input. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const names = new Set(allSpecs().map(({ name }) => name))
  const tasks = (await tasksOf(db, { userId, limit: ROWS })).filter(({ service }) => names.has(service))
  if (!tasks.length) return undefined
  return tasks.map((task) => ({ ...taskView(task, 'en'), facts: task.facts }))
}

export const servicesPersonal: PersonalData = { blockersOf, exportOf }
