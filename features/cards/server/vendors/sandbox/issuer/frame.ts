import type { Company } from './company.ts'
import type { Reply, Request } from './http.ts'
export function showFrame(_company: Company, _request: Request): Reply {
  return { status: 404, type: 'text/plain', body: 'not yet' }
}
