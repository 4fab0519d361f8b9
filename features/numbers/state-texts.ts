export const NUMBERS_SERVICE_TEXT = {
  any: 'service_any',
  openai: 'service_openai',
  claude: 'service_claude',
  google: 'service_google',
  telegram: 'service_telegram',
  whatsapp: 'service_whatsapp',
  discord: 'service_discord',
  microsoft: 'service_microsoft',
} as const

export const NUMBERS_COUNTRY_TEXT = { US: 'country_US', GB: 'country_GB', DE: 'country_DE', BR: 'country_BR', ID: 'country_ID' } as const

export const NUMBERS_STATE_TEXT = {
  expired: 'state_expired',
  waiting: 'state_waiting',
  failed: 'state_failed',
  cancelled: 'state_cancelled',
  wanted: 'state_wanted',
} as const
