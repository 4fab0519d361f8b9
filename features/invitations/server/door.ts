/** The invitations' verbs for operators. */
export { decideRewardReview } from './review/decide-review.ts'
export { selectOpenReviews } from './review/data.ts'
export { publishRules } from './rules/publish-rules.ts'
export { findCodeOwner } from './codes/find-code-owner.ts'
export { findInviter } from './codes/find-inviter.ts'
