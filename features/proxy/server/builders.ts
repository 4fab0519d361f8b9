import type { Sql } from '#platform/server/database/db.ts'
import { recordProxyNode } from './data.ts'

/** A process that serves the proxy, as far as anybody who sells it knows; for so many minutes. */
export const aProxyNode = (sql: Sql, minutes = 600): Promise<void> => recordProxyNode(sql, 'node_of_a_test', 0, minutes)
