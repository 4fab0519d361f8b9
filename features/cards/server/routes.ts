import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { billsContract } from '../contract-bills.ts'
import { cardsContract } from '../contract.ts'
import { challenges } from './notices/challenges.ts'
import { receiveCardNotice } from './notices/receive-notice.ts'
import { transactionCsv, transactionInfo, transactionList, transactionTotal } from './views/bills.ts'
import { cardChange, cardOutstanding, cardRenewal, cardUnfreeze, changeCard, changeCardStatus, reOpenCard } from './verbs/change.ts'
import { cardUpdate } from './verbs/change-address.ts'
import { closeCard, expiredCardDelete, warning } from './verbs/close.ts'
import { frozen, unFrozen } from './verbs/freeze.ts'
import { cardBalance, cardInfo, cardList, cardTotal, chooseCard, defaultCard } from './views/cards.ts'
import { cardPrivacyInfo } from './verbs/reveal.ts'
import { disputeBill, disputeList } from './verbs/dispute.ts'
import { cardRecharge, cardWithdrawal, rechargeBounds } from './verbs/recharge.ts'
import { cardAmount, cardCreate, readCardOpening } from './views/opening.ts'
import { applyMonthlyStatementInvoice, applyOpenAccountInvoice, openAccountInvoice } from './papers/papers.ts'
import { issuerRoutes, NOTICE_PATH } from './vendors/index.ts'

export const cardRoutes = bind(cardsContract, {
  cardList,
  cardInfo,
  defaultCard,
  chooseCard,
  cardTotal,
  cardAmount,
  cardBalance,
  opening: readCardOpening,
  cardCreate,
  cardUpdate,
  reOpenCard,
  frozen,
  unFrozen,
  warning,
  cardPrivacyInfo,
  expiredCardDelete,
  closeCard,
  changeCard,
  changeCardStatus,
  rechargeBounds,
  cardRecharge,
  cardWithdrawal,
  cardUnfreeze,
  cardOutstanding,
  cardChange,
  cardRenewal,
  challenges,
})

export const billRoutes = bind(billsContract, {
  transactionList,
  transactionTotal,
  transactionInfo,
  transactionCsv,
  openAccountInvoice,
  applyOpenAccountInvoice,
  applyMonthlyStatementInvoice,
  disputeBill,
  disputeList,
})

export const cardRawRoutes: readonly RawRoute[] = [{ method: 'POST', path: NOTICE_PATH, role: 'api', handle: receiveCardNotice }, ...issuerRoutes]
