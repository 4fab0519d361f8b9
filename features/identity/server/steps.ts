import { fail } from '#platform/shared/errors.ts'
import { INFO_STATUS, OPENING_STEPS } from '../contract-words.ts'
import type { IdentityMethod, OpeningStep, IdentityPaper, IdentityPicture } from '../contract-words.ts'
import type { PersonRow } from './data.ts'

/** The first step that is not done. With the deposit, there is no face check. */
export function findOpenStep(row: PersonRow | undefined): OpeningStep {
  if (!row?.noticeReadAt) return 'notice'
  if (row.taxpayer !== false) return 'taxpayer'
  if (!row.method) return 'method'
  if (!row.savedAt || !row.sealedPerson) return 'papers'
  if (row.method === 'face' && !row.facePassedAt) return 'face'
  return 'payment'
}

export const toInfoStatus = (row: PersonRow | undefined): number => (row?.paidAt ? INFO_STATUS.PAID : row?.savedAt ? INFO_STATUS.SAVED : INFO_STATUS.NONE)

/** Refuses a step whose previous steps are not done. */
export function requireStep(row: PersonRow, wanted: OpeningStep): void {
  const at = findOpenStep(row)
  if (OPENING_STEPS.indexOf(at) < OPENING_STEPS.indexOf(wanted)) fail('IDENTITY_STEP_MISSING', { step: at })
}

const SIDES: Readonly<Record<IdentityPaper, readonly IdentityPicture[]>> = { idcard: ['idFront', 'idBack'], passport: ['passport'] }

/** Pictures to upload with a paper. Without a face check, a photo of the holder is required. */
export const listRequiredPictures = (paper: IdentityPaper, method: IdentityMethod | null): IdentityPicture[] => [
  ...SIDES[paper],
  ...(method === 'deposit' ? (['photo'] as const) : []),
]
