import { defineErrors } from '#platform/shared/errors.ts'

export const proxyErrors = defineErrors({
  /** No process serves the proxy now; nothing was begun. */
  PROXY_DOWN: { code: 3751, status: 200 },
  /** No exit of this name, or it is switched off. */
  PROXY_EXIT_UNKNOWN: { code: 3752, status: 200 },
  /** Nothing of it is in use now. */
  PROXY_NOT_LIVE: { code: 3753, status: 200 },
  /** The code was never given, has expired or was used. */
  PROXY_CODE_WRONG: { code: 3754, status: 200 },
  /** The extension was signed out. */
  PROXY_EXTENSION_OUT: { code: 3755, status: 200 },
})
