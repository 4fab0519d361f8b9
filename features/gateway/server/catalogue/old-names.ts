import type { GatewayModel } from '../hot/deps.ts'
import { vendors } from '../vendors/index.ts'

/** Gives names of long ago (`OldModelNames` of each vendor) what they find, where nothing else has them. `heirOf`: who answers for a model today. */
export function addOldModelNames(names: Map<string, GatewayModel>, heirOf: (id: string) => GatewayModel | undefined): void {
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
