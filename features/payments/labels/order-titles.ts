import type { paymentTexts } from '../texts.ts'
import { ORDER_TYPE } from '../words.ts'

type OrderType = (typeof ORDER_TYPE)[keyof typeof ORDER_TYPE]
type TitleKey = keyof (typeof paymentTexts)['zh']

/** What each order type is called, for browser and server. */
const TITLES: Readonly<Record<OrderType, TitleKey>> = {
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

/** The contract admits 0 to 15 only, and each of them has a title. */
export const orderTitleKey = (orderType: number): TitleKey => TITLES[orderType as OrderType]
