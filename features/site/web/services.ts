import { ZONE_OF_SERVICE, type ServiceId, type ServiceZone } from '#features/services/contract-zones.ts'

/** One thing that is sold, or will be. Texts: `svc_<id>`, `_body`, `_time`, `_price`, `_do`; of its landing `land_<id>_…`. */
export interface Service {
  readonly id: Exclude<ServiceId, 'forward'>
  readonly zone: ServiceZone
  /** Where it is used; of a service of the kit the catalogue says it. */
  readonly to?: string
  /** Its name in the services' catalogue, which says whether it is open: what does not stand there is still to come. */
  readonly kit?: string
  /** Whose price stands beside it, where that is another one's. */
  readonly priced?: string
  /** Where it is explained; a service of the kit has a landing at /service/<id>. */
  readonly about: string
  /** A help article. */
  readonly help?: string
}

export type KitId = Exclude<Service['id'], 'api' | 'card'>

const kit = (id: KitId, name: string, more: Pick<Service, 'priced' | 'help'> = {}): Service & { readonly kit: string } => ({
  id,
  zone: ZONE_OF_SERVICE[id],
  kit: name,
  about: `/service/${id}`,
  ...more,
})

export const services: readonly Service[] = [
  { id: 'card', zone: ZONE_OF_SERVICE.card, to: '/card', about: '/pay-service', help: 'virtual-card' },
  { id: 'api', zone: ZONE_OF_SERVICE.api, to: '/api', about: '/' },
  kit('flex', 'flex'),
  kit('accelerated', 'browser'),
  kit('upgrade', 'upgrade', { help: 'payment-links' }),
  kit('registration', 'openai'),
  kit('numbers', 'numbers', { priced: 'numberpack' }),
  kit('mail', 'email'),
  kit('proxy', 'proxy'),
  kit('remote', 'remote', { help: 'remote-login' }),
]

export const landings = services.filter((service): service is Service & { readonly id: KitId } => service.kit !== undefined)
