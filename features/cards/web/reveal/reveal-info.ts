import type { ReplyOf } from '#platform/shared/contract.ts'
import type { cardsContract } from '../../contract.ts'

export type RevealInfo = ReplyOf<typeof cardsContract.cardPrivacyInfo>
export type FrameInfo = Extract<RevealInfo, { form: 'frame' }>
export type ElementsInfo = Extract<RevealInfo, { form: 'elements' }>
