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
        `${row.upstreamId}  ${row.state}  ${row.vendor}  ${row.baseUrl}  ${row.credentialEnv}  ${formatLimit(row.concurrent, 'at once')}  ${formatLimit(row.perMinute, 'a minute')}  queue ${row.queueLength} for ${row.queueMs} ms  open calls ${open.get(row.upstreamId) ?? 0}`,
    ),
    ...routes.map(
      (row) =>
        `${row.modelId}  ->  ${row.upstreamId}  ${row.upstreamModel}  priority ${row.priority}  weight ${row.weight}  cost ${row.costBp / 100} %${row.dialects ? `  ${row.dialects.join(',')}` : ''}`,
    ),
  ]
}
