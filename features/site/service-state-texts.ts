export const SITE_SVC_TEXT = {
  flex: 'svc_flex',
  api: 'svc_api',
  card: 'svc_card',
  upgrade: 'svc_upgrade',
  registration: 'svc_registration',
  numbers: 'svc_numbers',
  mail: 'svc_mail',
  proxy: 'svc_proxy',
  accelerated: 'svc_accelerated',
  remote: 'svc_remote',
} as const

export const SITE_SVC_BODY_TEXT = {
  flex: 'svc_flex_body',
  api: 'svc_api_body',
  card: 'svc_card_body',
  upgrade: 'svc_upgrade_body',
  registration: 'svc_registration_body',
  numbers: 'svc_numbers_body',
  mail: 'svc_mail_body',
  proxy: 'svc_proxy_body',
  accelerated: 'svc_accelerated_body',
  remote: 'svc_remote_body',
} as const

export const SITE_SVC_TIME_TEXT = {
  flex: 'svc_flex_time',
  api: 'svc_api_time',
  card: 'svc_card_time',
  upgrade: 'svc_upgrade_time',
  registration: 'svc_registration_time',
  numbers: 'svc_numbers_time',
  mail: 'svc_mail_time',
  proxy: 'svc_proxy_time',
  accelerated: 'svc_accelerated_time',
  remote: 'svc_remote_time',
} as const

export const SITE_SVC_DO_TEXT = {
  flex: 'svc_flex_do',
  api: 'svc_api_do',
  card: 'svc_card_do',
  upgrade: 'svc_upgrade_do',
  registration: 'svc_registration_do',
  numbers: 'svc_numbers_do',
  mail: 'svc_mail_do',
  proxy: 'svc_proxy_do',
  accelerated: 'svc_accelerated_do',
  remote: 'svc_remote_do',
} as const

/** Lead paragraph of each service's own page. */
export const SITE_LAND_LEAD_TEXT = {
  flex: 'land_flex_lead',
  upgrade: 'land_upgrade_lead',
  registration: 'land_registration_lead',
  numbers: 'land_numbers_lead',
  mail: 'land_mail_lead',
  proxy: 'land_proxy_lead',
  accelerated: 'land_accelerated_lead',
  remote: 'land_remote_lead',
} as const
