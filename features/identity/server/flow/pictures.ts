import type { Method, Paper, Picture } from '../../contract-words.ts'

const SIDES: Readonly<Record<Paper, readonly Picture[]>> = { idcard: ['idFront', 'idBack'], passport: ['passport'] }

/** What has to be uploaded with a paper. Where no face check is made, a photo of the holder takes its place. */
export const picturesFor = (paper: Paper, method: Method | null): Picture[] => [...SIDES[paper], ...(method === 'deposit' ? (['photo'] as const) : [])]
