export { selectBlockedPayers, buildPayerMark } from './blocks/payer.ts'
export { requireUnblocked } from './blocks/require-unblocked.ts'
export { countEventWithin, clearCount, clearGroup, countGroup, readCurrentCount, uncountEvent, requireAllowed } from './limits.ts'
export type { LimitVerdict } from './limits.ts'
export { selectCountersAbove } from './data.ts'
export type { CounterRow } from './data.ts'
export { toBlockSubject, toIpSubject } from './subject.ts'
export {
  selectAccountsOfPerson,
  selectAccountsSharing,
  hasMark,
  selectMarksAround,
  MAX_ACCOUNTS_PER_PERSON,
  selectSharedMarks,
  selectStaff,
} from './marks/data.ts'
export type { SharedMark } from './marks/data.ts'
export { storeMarks, storeMarksOfMany, hashMark, toNetworkBlock, buildPlaceMarks, normalizeMailbox, toStaffSubject, buildKeyUseMarks } from './marks/marks.ts'
export type { MarkKind } from './marks/mark-kind.ts'
export type { RiskMark } from './marks/marks.ts'
export { requireHuman } from './verbs/require-human.ts'
export type { HumanProof } from './verbs/require-human.ts'
