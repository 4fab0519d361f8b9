import type { ReplyOf } from '#platform/shared/contract.ts'
import type { cardsContract } from '../../contract.ts'

export type Info = ReplyOf<typeof cardsContract.cardPrivacyInfo>
export type FrameInfo = Extract<Info, { form: 'frame' }>
export type ElementsInfo = Extract<Info, { form: 'elements' }>
