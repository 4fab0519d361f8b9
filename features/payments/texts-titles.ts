import { defineTexts, LANGS } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import en from './messages/titles.en.json' with { type: 'json' }
import zh from './messages/titles.zh.json' with { type: 'json' }
import { ORDER_TYPE } from './words.ts'

type OrderType = (typeof ORDER_TYPE)[keyof typeof ORDER_TYPE]
type OrderTitleKey = keyof typeof zh

export const titleTexts = defineTexts({ zh, en })

/** Name of each order type, shared by pages, papers, mails, the console and the channels' payment pages. */
const TITLES: Readonly<Record<OrderType, OrderTitleKey>> = {
  [ORDER_TYPE.RECHARGE]: 'title_0',
  [ORDER_TYPE.OPEN_ACCOUNT]: 'title_1',
  [ORDER_TYPE.MULTIPLE_CARD]: 'title_2',
  [ORDER_TYPE.REMOTE]: 'title_3',
  [ORDER_TYPE.SMS]: 'title_4',
  [ORDER_TYPE.PROXY]: 'title_5',
  [ORDER_TYPE.OPENAI_ACCOUNT]: 'title_6',
  [ORDER_TYPE.RENEW]: 'title_7',
  [ORDER_TYPE.WILDCARD_BROWSER]: 'title_8',
  [ORDER_TYPE.FLEX]: 'title_9',
  [ORDER_TYPE.OPENAI_API]: 'title_10',
  [ORDER_TYPE.EMAIL]: 'title_11',
  [ORDER_TYPE.CARD_UNFREEZE]: 'title_12',
  [ORDER_TYPE.CARD_OUTSTANDING]: 'title_13',
  [ORDER_TYPE.CARD_RISK_CHANGE]: 'title_14',
  [ORDER_TYPE.CARD_RENEWAL]: 'title_15',
}

/** The contract allows only 0 to 15, and each of them has a title. */
export const toOrderTitleKey = (orderType: number): OrderTitleKey => TITLES[orderType as OrderType]

/** Name of an order type in a language. */
export const formatOrderTitle = (orderType: number, lang: Lang): string => titleTexts[lang][toOrderTitleKey(orderType)]

/**
 * Subject line shown to the payer at the channel. In every language at once: a channel refuses a trade whose subject changes when it is
 * opened again.
 */
export const formatOrderSubject = (brand: string, orderType: number, amount: string): string =>
  `${brand} ${LANGS.map((lang) => formatOrderTitle(orderType, lang)).join(' ')} ${amount} USD`
