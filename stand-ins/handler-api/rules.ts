/**
 * The protocol of `stubs/handler_api.php`, which sms-activate began and many suppliers speak. Sources: sms-online.pro/docs/api/en/change_status.html
 * and get_status.html; receivesms.store/api1.php (actions and words); privatesms.vip/documentation and smsbulk.net/en/docs/errors-and-limits
 * (the same words with HTTP statuses). `status` is the one of suppliers that use statuses; the others answer everything with 200.
 */
export const HANDLER_API_REFUSALS = {
  BAD_KEY: { status: 401, when: 'the key is missing or unknown' },
  BAD_ACTION: { status: 400, when: 'the action is missing or unknown' },
  BAD_SERVICE: { status: 400, when: 'getNumber: no service has that code' },
  BAD_COUNTRY: { status: 400, when: 'getNumber: no country has that number' },
  NO_NUMBERS: { status: 404, when: 'getNumber: none left of the service in the country' },
  NO_BALANCE: { status: 402, when: 'getNumber: the balance is below the price' },
  NO_ACTIVATION: { status: 404, when: 'getStatus, setStatus: no activation has that id' },
  BAD_STATUS: { status: 400, when: 'setStatus: unknown status, or one that the activation cannot change to' },
  EARLY_CANCEL_DENIED: { status: 403, when: 'setStatus=8 within the first two minutes' },
  ERROR_SQL: { status: 500, when: 'fault of the supplier' },
} as const
export type HandlerApiRefusal = keyof typeof HANDLER_API_REFUSALS

/** Time before which some suppliers refuse a cancellation. Source: sms-online.pro/docs/api/en/change_status.html. */
export const EARLY_CANCEL_MS = 120_000

/** Codes of services and numbers of countries in that protocol. Assumed: those that our adapter sends (sms-activate.io/api2 has the tables). */
export const HANDLER_API_SERVICES: readonly string[] = ['dr', 'acz', 'go', 'tg', 'wa', 'ds', 'mm', 'ot']
export const HANDLER_API_COUNTRIES: readonly string[] = ['187', '16', '43', '73', '6']
/** Statuses that a client can set: ready, another code, complete, cancel. */
export const HANDLER_API_STATUSES = ['1', '3', '6', '8'] as const
