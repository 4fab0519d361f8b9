import type { Reading } from '../../contract-papers.ts'
import { UNSAID } from '../../contract-words.ts'
import { openText, sealText } from '../secrets.ts'
import type { FileRow } from '../uploads/data.ts'
import { unread } from './fields.ts'
import { FIELDS } from './read-paper.ts'

const READING = 'identity.reading'

export const sealReading = (key: Buffer, reading: Reading): Buffer => sealText(key, READING, reading.filePath, JSON.stringify(reading))
export const openReading = (key: Buffer, filePath: string, sealed: Buffer): Reading => JSON.parse(openText(key, READING, filePath, sealed)) as Reading

/** What is known of a picture; of a paper that nobody has read nothing is sure, so that each of its lines needs the person's word. */
export function readingOf(key: Buffer, { id, purpose, sealed_reading: sealed }: FileRow): Reading | undefined {
  if (sealed) return openReading(key, id, sealed)
  return purpose === 'photo' || purpose === 'evidence' || purpose === UNSAID ? undefined : { filePath: id, purpose, fields: FIELDS[purpose].map(unread) }
}
