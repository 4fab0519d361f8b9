import { bind } from '#platform/server/feature.ts'
import type { RawRoute } from '#platform/server/feature.ts'
import { billsContract } from '../contract-bills.ts'
import { cardsContract } from '../contract.ts'
import { challenges } from './authorisations/challenges.ts'
import { receiveNotice } from './authorisations/receive-notice.ts'
import { transactionCsv, transactionInfo, transactionList, transactionTotal } from './bills/read.ts'
import { cardChange, cardOutstanding, cardRenewal, cardUnfreeze, changeCard, changeCardStatus, reOpenCard } from './cards/change.ts'
import { cardUpdate } from './cards/change-address.ts'
import { closeCard, expiredCardDelete, warning } from './cards/close.ts'
import { frozen, unFrozen } from './cards/freeze.ts'
import { cardBalance, cardInfo, cardList, cardTotal, chooseCard, defaultCard } from './cards/read.ts'
import { cardPrivacyInfo } from './cards/reveal.ts'
import { disputeBill, disputeList } from './disputes/dispute.ts'
import { cardRecharge, cardWithdrawal, rechargeBounds } from './money/recharge.ts'
import { cardAmount, cardCreate, opening } from './opening/opening.ts'
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
  opening,
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

export const cardRawRoutes: readonly RawRoute[] = [{ method: 'POST', path: NOTICE_PATH, role: 'api', handle: receiveNotice }, ...issuerRoutes]
