export const SITE_SECTION_TEXT = {
  start: 'section_start',
  money: 'section_money',
  account: 'section_account',
  calling: 'section_calling',
  clients: 'section_clients',
  tutorials: 'section_tutorials',
  more: 'section_more',
} as const
