/** The invitations' verbs for operators. */
export { decideReview } from './review/decide-review.ts'
export { openReviews } from './review/data.ts'
export { publishRules } from './rules/publish-rules.ts'
export { ownerOfCode } from './codes/owner-of-code.ts'
export { inviterOf } from './codes/inviter-of.ts'
