import type { Company } from '../company.ts'
import type { Handle } from '../http.ts'
export function createShop(_company: Company): Handle {
  return async () => ({ status: 404, type: 'text/plain', body: 'not yet' })
}
