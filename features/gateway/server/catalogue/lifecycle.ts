import { toShanghaiDay } from '#platform/shared/time.ts'
import type { GatewayModel } from '../hot/deps.ts'
import { vendors } from '../vendors/index.ts'

/** Adds legacy names (`OldModelNames` of each vendor) that no model uses. `heirOf` returns the model that answers for a name today. */
function addOldModelNames(names: Map<string, GatewayModel>, heirOf: (id: string) => GatewayModel | undefined): void {
  const each = (table: Readonly<Record<string, readonly string[]>>, make: (heir: GatewayModel, name: string) => GatewayModel): void => {
    for (const [id, olds] of Object.entries(table)) {
      const heir = heirOf(id)
      for (const name of olds) if (heir !== undefined && !names.has(name)) names.set(name, make(heir, name))
    }
  }
  for (const { oldNames } of vendors) {
    each(oldNames?.answered ?? {}, (heir, name) => ({ ...heir, notice: ['x-mingxi-model', heir.id, 'x-mingxi-rerouted-from', name], answersFor: name }))
    each(oldNames?.named ?? {}, (heir, name) => ({ ...heir, id: name, lifecycle: 'retired', successor: heir.id }))
  }
}

/** End-of-life columns of a model's catalogue row. */
interface EndOfLife {
  readonly modelId: string
  readonly aliases: readonly string[]
  readonly deprecatedOn: string | null
  readonly retiresOn: string | null
  readonly successor: string | null
}

/** Period in which its successor answers for a retired model; afterwards the model is a 404. */
export const REROUTE_DAYS = 14
/** Bound on chains: a successor may have a successor itself. */
const MAX_HOPS = 5

export function resolveLifecycle(row: Pick<EndOfLife, 'deprecatedOn' | 'retiresOn'>, today: string): GatewayModel['lifecycle'] {
  if (row.retiresOn && row.retiresOn <= today) return 'retired'
  return row.deprecatedOn && row.deprecatedOn <= today ? 'deprecated' : 'active'
}

/** Days begin at midnight in Shanghai. */
const shanghaiMidnight = (day: string): number => Date.parse(`${day}T00:00:00+08:00`)

/** Headers of a deprecated model: RFC 9745, RFC 8594, and ours. */
export function buildDeprecationNotice(row: EndOfLife, today: string): Pick<GatewayModel, 'notice'> {
  if (resolveLifecycle(row, today) !== 'deprecated') return {}
  const notice = ['deprecation', `@${shanghaiMidnight(row.deprecatedOn!) / 1000}`]
  if (row.retiresOn) notice.push('sunset', new Date(shanghaiMidnight(row.retiresOn)).toUTCString())
  if (row.successor) notice.push('x-mingxi-successor', row.successor)
  return { notice }
}

/**
 * Maps every name to its model: ids, aliases and retired ids. For a while after its end, a retired id maps to its successor, which answers
 * and says so; later to the retired model itself, so that the refusal can name the replacement.
 */
export function mapModelNames(models: readonly GatewayModel[], today: string, rows: readonly EndOfLife[]): Map<string, GatewayModel> {
  const known = new Map(models.map((model) => [model.id, model]))
  const names = new Map(models.filter((model) => model.lifecycle !== 'retired').map((model) => [model.id, model]))
  const give = (row: EndOfLife, model: GatewayModel | undefined) => {
    for (const name of [row.modelId, ...row.aliases]) if (model && !names.has(name)) names.set(name, model)
  }
  for (const row of rows) give(row, names.get(row.modelId))
  const oldest = toShanghaiDay(shanghaiMidnight(today) - (REROUTE_DAYS - 0.5) * 86_400_000)
  for (const row of rows) {
    const model = known.get(row.modelId)
    if (model?.lifecycle !== 'retired') continue
    const heir = row.retiresOn! >= oldest ? findSuccessor(model, known) : undefined
    give(row, heir ? { ...heir, notice: ['x-mingxi-model', heir.id, 'x-mingxi-rerouted-from', row.modelId], answersFor: row.modelId } : model)
  }
  addOldModelNames(names, (id) => {
    const model = known.get(id)
    return model?.lifecycle === 'retired' ? findSuccessor(model, known) : model
  })
  return names
}

function findSuccessor(model: GatewayModel, known: ReadonlyMap<string, GatewayModel>): GatewayModel | undefined {
  let heir = model.successor === undefined ? undefined : known.get(model.successor)
  for (let hops = 0; heir?.lifecycle === 'retired' && hops < MAX_HOPS; hops++) heir = heir.successor === undefined ? undefined : known.get(heir.successor)
  return heir?.lifecycle === 'retired' ? undefined : heir
}
