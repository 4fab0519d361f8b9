import { shanghaiDay } from '#platform/shared/time.ts'
import type { Model } from '../hot/deps.ts'
import { nameOld } from './old-names.ts'

/** End-of-life columns of a model's catalogue row. */
interface Ending {
  readonly model_id: string
  readonly aliases: readonly string[]
  readonly deprecated_on: string | null
  readonly retires_on: string | null
  readonly successor: string | null
}

/** A retired model is answered by its successor for this long; then it is a 404 (decisions, "The model API"). */
export const REROUTE_DAYS = 14
/** A successor may have one itself. */
const MOST_HOPS = 5

export function lifecycleOf(row: Pick<Ending, 'deprecated_on' | 'retires_on'>, today: string): Model['lifecycle'] {
  if (row.retires_on && row.retires_on <= today) return 'retired'
  return row.deprecated_on && row.deprecated_on <= today ? 'deprecated' : 'active'
}

/** A day begins in Shanghai. */
const startOf = (day: string): number => Date.parse(`${day}T00:00:00+08:00`)

/** Headers of a deprecated model: RFC 9745, RFC 8594, and ours. */
export function noticeOf(row: Ending, today: string): Pick<Model, 'notice'> {
  if (lifecycleOf(row, today) !== 'deprecated') return {}
  const notice = ['deprecation', `@${startOf(row.deprecated_on!) / 1000}`]
  if (row.retires_on) notice.push('sunset', new Date(startOf(row.retires_on)).toUTCString())
  if (row.successor) notice.push('x-mingxi-successor', row.successor)
  return { notice }
}

/**
 * Every name that finds a model: ids, aliases, for a while after its end the id of a retired model, which its successor answers
 * and says so; later the retired one itself, so that the refusal can name what to use instead.
 */
export function nameAll(models: readonly Model[], today: string, rows: readonly Ending[]): Map<string, Model> {
  const known = new Map(models.map((model) => [model.id, model]))
  const names = new Map(models.filter((model) => model.lifecycle !== 'retired').map((model) => [model.id, model]))
  const give = (row: Ending, model: Model | undefined) => {
    for (const name of [row.model_id, ...row.aliases]) if (model && !names.has(name)) names.set(name, model)
  }
  for (const row of rows) give(row, names.get(row.model_id))
  const oldest = shanghaiDay(startOf(today) - (REROUTE_DAYS - 0.5) * 86_400_000)
  for (const row of rows) {
    const model = known.get(row.model_id)
    if (model?.lifecycle !== 'retired') continue
    const heir = row.retires_on! >= oldest ? heirOf(model, known) : undefined
    give(row, heir ? { ...heir, notice: ['x-mingxi-model', heir.id, 'x-mingxi-rerouted-from', row.model_id], answersFor: row.model_id } : model)
  }
  nameOld(names, (id) => {
    const model = known.get(id)
    return model?.lifecycle === 'retired' ? heirOf(model, known) : model
  })
  return names
}

function heirOf(model: Model, known: ReadonlyMap<string, Model>): Model | undefined {
  let heir = model.successor === undefined ? undefined : known.get(model.successor)
  for (let hops = 0; heir?.lifecycle === 'retired' && hops < MOST_HOPS; hops++) heir = heir.successor === undefined ? undefined : known.get(heir.successor)
  return heir?.lifecycle === 'retired' ? undefined : heir
}
