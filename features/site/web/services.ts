/** One thing that is sold, or will be. Texts: `svc_<id>`, `_body`, `_time`, `_price`, `_do`; of its landing `land_<id>_…`. */
export interface Service {
  readonly id: 'api' | 'card' | 'flex' | 'upgrade' | 'registration' | 'numbers' | 'mail' | 'proxy' | 'accelerated' | 'remote'
  readonly zone: 'independent' | 'card' | 'openai' | 'tool'
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

const kit = (
  id: Exclude<Service['id'], 'api' | 'card'>,
  zone: Service['zone'],
  name: string,
  more: Pick<Service, 'priced' | 'help'> = {},
): Service & { readonly kit: string } => ({ id, zone, kit: name, about: `/service/${id}`, ...more })

export const services: readonly Service[] = [
  { id: 'card', zone: 'card', to: '/card', about: '/pay-service', help: 'virtual-card' },
  { id: 'api', zone: 'independent', to: '/api', about: '/' },
  kit('flex', 'independent', 'flex'),
  kit('accelerated', 'independent', 'browser'),
  kit('upgrade', 'openai', 'upgrade', { help: 'payment-links' }),
  kit('registration', 'openai', 'openai'),
  kit('numbers', 'tool', 'numbers', { priced: 'numberpack' }),
  kit('mail', 'tool', 'email'),
  kit('proxy', 'tool', 'proxy'),
  kit('remote', 'tool', 'remote', { help: 'remote-login' }),
]

export const landings: readonly Service[] = services.filter((service) => service.kit !== undefined)
