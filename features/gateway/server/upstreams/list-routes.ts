import type { Sql } from '#platform/server/database/db.ts'
import { allRoutes, allUpstreams, openCallsByUpstream } from './data.ts'

const limit = (value: number | null, unit: string): string => (value === null ? `no limit ${unit}` : `${value} ${unit}`)

/** Upstreams and routes as lines for a terminal. */
export async function listRoutes(sql: Sql): Promise<string[]> {
  const [upstreams, routes, open] = [await allUpstreams(sql), await allRoutes(sql), await openCallsByUpstream(sql)]
  if (upstreams.length === 0) return ['no upstreams: the keys of the environment serve every model']
  return [
    ...upstreams.map(
      (row) =>
        `${row.upstream_id}  ${row.state}  ${row.vendor}  ${row.base_url}  ${row.credential_env}  HTTP ${row.http}  ${limit(row.concurrent, 'at once')}  ${limit(row.per_minute, 'a minute')}  queue ${row.queue_length} for ${row.queue_ms} ms  open calls ${open.get(row.upstream_id) ?? 0}`,
    ),
    ...routes.map(
      (row) =>
        `${row.model_id}  ->  ${row.upstream_id}  ${row.upstream_model}  priority ${row.priority}  weight ${row.weight}  cost ${row.cost_bp / 100} %${row.dialects ? `  ${row.dialects.join(',')}` : ''}`,
    ),
  ]
}
