import type { Issuer, IssuerConfig, IssuerVendor } from '../port.ts'
import { clientOf } from './client.ts'
import type { Address } from './client.ts'
import { placeOf, sandboxEnv } from './config.ts'
import { answer, readNotice } from './notices.ts'
import { panelOf } from './panel.ts'
import { portOf, startCompany } from './process.ts'

const NAME = 'sandbox'

/** Address of the company: the configured URL, or a port of this machine. Browsers reach it under the platform's host name. */
function addressOf(config: IssuerConfig): Address {
  const { url } = placeOf(config)
  return {
    base: async () => url ?? `http://127.0.0.1:${await portOf(config)}`,
    pages: async (origin) => {
      if (url) return url
      const page = new URL(origin)
      page.port = String(await portOf(config))
      return page.origin
    },
  }
}

/** The sandbox issuer: a company of its own with a book, cards, merchants and a shop. docs/vendors/sandbox-issuer.md */
export const sandbox: IssuerVendor = {
  name: NAME,
  sandbox: true,
  platform: 4,
  env: sandboxEnv,
  connect: (config, tools): Issuer => {
    const { standing: _, play: __, ...client } = clientOf(addressOf(config), tools)
    return {
      name: NAME,
      supports: { challenges: 'ours', disputes: true, partial: true, frame: true, billing: true },
      ...client,
      readNotice: (request) => readNotice(tools, request),
      answer,
      acknowledge: () => ({ status: 200, type: 'text/plain; charset=utf-8', body: 'ok' }),
    }
  },
  pages: async (config) => {
    const { url } = placeOf(config)
    // any name of this machine, at the issuer's port
    return { 'frame-src': [url ? new URL(url).origin : `http://*:${await portOf(config)}`] }
  },
  outside: {
    start: startCompany,
    shop: async (config, origin) => `${await addressOf(config).pages(origin)}/shop`,
    panel: (config, tools) => panelOf(clientOf(addressOf(config), tools)),
    play: (config, tools, cardRef) => clientOf(addressOf(config), tools).play(cardRef),
  },
}
