import { defineErrors } from '#platform/shared/errors.ts'

export const proxyErrors = defineErrors({
  /** No process serves the proxy now; nothing was started. */
  PROXY_DOWN: { code: 3751, status: 200 },
  /** No exit has this name, or it is switched off. */
  PROXY_EXIT_UNKNOWN: { code: 3752, status: 200 },
  /** The user has no live use. */
  PROXY_NOT_LIVE: { code: 3753, status: 200 },
  /** The code was never issued, has expired or was used. */
  PROXY_CODE_WRONG: { code: 3754, status: 200 },
  /** The extension was signed out. */
  PROXY_EXTENSION_OUT: { code: 3755, status: 200 },
})
