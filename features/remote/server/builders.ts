import type { Sql } from '#platform/server/database/db.ts'
import { aProxyNode } from '#features/proxy/server/builders.ts'
import { upsertRemoteNode } from './data.ts'

/** Registers a node for remote browsers; none starts there. */
export async function aRemoteNode(sql: Sql, { places = 2, refusal = '', minutes = 600 } = {}): Promise<string> {
  await aProxyNode(sql, minutes)
  await upsertRemoteNode(sql, { id: 'node_of_a_test', url: '', places, refusal }, minutes)
  return 'node_of_a_test'
}

export { replaceRemoteSuppliers } from './vendors/index.ts'
