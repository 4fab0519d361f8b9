import type { Sql } from '#platform/server/database/db.ts'
import { recordProxyNode } from './data.ts'

/** Registers a proxy process for some minutes; none runs. */
export const aProxyNode = (sql: Sql, minutes = 600): Promise<void> => recordProxyNode(sql, 'node_of_a_test', { tunnels: 0, aheadMinutes: minutes })
