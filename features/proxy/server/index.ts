import { defineFeature } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { proxyAllErrors } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { proxyConfig } from './config.ts'
import { endAccess, endOpen } from './end-access.ts'
import { isProxyMeant, proxyConfigOf } from './place.ts'
import { proxyPersonal } from './personal.ts'
import { proxyRoutes } from './routes.ts'
import { proxySettings } from './settings.ts'
import { SEALED_FOR } from './uses/credentials.ts'
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
    { event: 'account.frozen', name: 'proxy', handle: endOpen },
    ...['user.deleted', 'user.secrets-dropped'].map((event) => ({ event, name: 'proxy', handle: endAccess })),
  ],
  sealed: [{ table: 'proxy_uses', column: 'password_sealed', id: 'id', owner: 'user_id', purpose: SEALED_FOR }],
  start: async (deps, roles) => {
    sellService(deps, proxyService)
    return roles.has('proxy') && isProxyMeant(proxyConfigOf(deps)) ? (await import('./run.ts')).runProxy(deps) : undefined
  },
})
