import { FACE_STATUS, INFO_STATUS } from '../../contract-words.ts'
import type { CheckState } from '../../contract-words.ts'
import type { PersonRow } from '../data.ts'

export const infoStatusOf = (row: PersonRow | undefined): number => (row?.paid_at ? INFO_STATUS.PAID : row?.saved_at ? INFO_STATUS.SAVED : INFO_STATUS.NONE)

export const faceStatusOf = (state: CheckState): number =>
  state === 'processing' ? FACE_STATUS.PROCESSING : state === 'passed' ? FACE_STATUS.SUCCESS : FACE_STATUS.FAILURE
