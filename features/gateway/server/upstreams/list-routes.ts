import type { Sql } from '#platform/server/database/db.ts'
import { selectRoutes, selectUpstreams, countOpenCallsByUpstream } from './data.ts'

const formatLimit = (value: number | null, unit: string): string => (value === null ? `no limit ${unit}` : `${value} ${unit}`)

/** Upstreams and routes as lines for a terminal. */
export async function listRoutes(sql: Sql): Promise<string[]> {
  const [upstreams, routes, open] = [await selectUpstreams(sql), await selectRoutes(sql), await countOpenCallsByUpstream(sql)]
  if (upstreams.length === 0) return ['no upstreams: the keys of the environment serve every model']
  return [
    ...upstreams.map(
      (row) =>
        `${row.upstream_id}  ${row.state}  ${row.vendor}  ${row.base_url}  ${row.credential_env}  ${formatLimit(row.concurrent, 'at once')}  ${formatLimit(row.per_minute, 'a minute')}  queue ${row.queue_length} for ${row.queue_ms} ms  open calls ${open.get(row.upstream_id) ?? 0}`,
    ),
    ...routes.map(
      (row) =>
        `${row.model_id}  ->  ${row.upstream_id}  ${row.upstream_model}  priority ${row.priority}  weight ${row.weight}  cost ${row.cost_bp / 100} %${row.dialects ? `  ${row.dialects.join(',')}` : ''}`,
    ),
  ]
}
