import { defineFeature } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { proxyAllErrors } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { proxyConfig } from './config.ts'
import { endAccess, endOpenUses } from './end-access.ts'
import { isProxyEnabled, readProxyConfig } from './proxy-address.ts'
import { proxyPersonal } from './personal.ts'
import { proxyRoutes } from './routes.ts'
import { proxySettings } from './settings.ts'
import { PROXY_PASSWORD_PURPOSE } from './uses/credentials.ts'
import { proxyService } from './uses/spec.ts'

export const proxy = defineFeature({
  name: 'proxy',
  texts: proxyTexts,
  errors: proxyAllErrors,
  routes: [proxyRoutes],
  settings: proxySettings,
  config: proxyConfig,
  personal: proxyPersonal,
  events: [
    { event: 'account.frozen', name: 'proxy', handle: endOpenUses },
    ...['user.deleted', 'user.secrets-dropped'].map((event) => ({ event, name: 'proxy', handle: endAccess })),
  ],
  sealed: [{ table: 'proxy_uses', column: 'password_sealed', id: 'id', owner: 'user_id', purpose: PROXY_PASSWORD_PURPOSE }],
  start: async (deps, roles) => {
    sellService(deps, proxyService)
    return roles.has('proxy') && isProxyEnabled(readProxyConfig(deps)) ? (await import('./run.ts')).runProxy(deps) : undefined
  },
})
