import { z } from 'zod'
import { defineContract, fileReply, emptyReply } from '#platform/shared/contract.ts'
import { READING_DOUBTS, EVIDENCE_TYPES, READING_PROOFS, UPLOAD_PURPOSES, PAPER_FIELDS, MAX_UPLOAD_BYTES } from './contract-words.ts'
import { identityErrors } from './errors.ts'

export const filePath = z.string().regex(/^paper_[0-9A-Z]{26}$/)

export const fieldReading = z.object({
  name: z.enum(PAPER_FIELDS),
  value: z.string(),
  sure: z.boolean(),
  /** Test that makes the value sure; null if it is not. */
  proof: z.enum(READING_PROOFS).nullable(),
  /** Reason for doubt; null if it is sure. */
  reason: z.enum(READING_DOUBTS).nullable(),
  /** Doubtful ranges of `value`, as [from, to) in characters. */
  doubtful: z.array(z.tuple([z.number(), z.number()])),
  /** Position in the picture, as fractions of its width and height; null if unknown. */
  box: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).nullable(),
})
export type FieldReading = z.output<typeof fieldReading>

export const paperReading = z.object({ filePath, purpose: z.enum(UPLOAD_PURPOSES), fields: z.array(fieldReading) })
export type PaperReading = z.output<typeof paperReading>

const ocr = (path: string, summary: string) => ({
  method: 'POST' as const,
  path,
  access: 'user' as const,
  summary,
  // The first reading waits for the reader process to start, and for those before it.
  timeoutMs: 150_000,
  input: z.object({ filePath }),
  reply: paperReading,
  errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_REFUSED', 'WRONG_PAPER', 'READER_AWAY'] as const,
})

/** Pictures of papers: upload, reading, display. */
export const papersContract = defineContract(identityErrors)({
  uploadPolicy: {
    method: 'GET',
    path: '/common/upload/policy',
    access: 'user',
    summary:
      'A signed permission to upload one file of a purpose, size and type, for some minutes, by this user; a PDF as evidence only. Omitted fields are open: any size, any picture, and the first reading sets the purpose',
    input: z.object({
      purpose: z.enum(UPLOAD_PURPOSES).optional(),
      type: z.enum(EVIDENCE_TYPES).optional(),
      size: z.coerce.number().int().min(1).max(MAX_UPLOAD_BYTES).optional(),
    }),
    reply: z.object({
      filePath,
      /** Upload a multipart form to it: these fields in this order, then the file as `file`. */
      url: z.string(),
      fields: z.record(z.string(), z.string()),
      maxBytes: z.number(),
      expiresTime: z.string(),
    }),
    errors: [],
  },
  uploadDone: {
    method: 'POST',
    path: '/common/upload/done',
    access: 'user',
    summary:
      'Takes an uploaded file in: a picture re-encoded without metadata of its origin, a PDF (0 by 0 pixels) as it is where nothing in it acts; encrypted, the original deleted',
    timeoutMs: 60_000,
    input: z.object({ filePath }),
    reply: z.object({ filePath, width: z.number(), height: z.number() }),
    errors: ['UPLOAD_NOT_FOUND', 'UPLOAD_REFUSED'],
  },
  uploadFile: {
    method: 'GET',
    path: '/common/upload/file',
    access: 'user',
    inPerson: true,
    summary: 'The user’s own picture, by an address that is valid for some minutes',
    input: z.object({ filePath, until: z.coerce.number().int(), sign: z.string().max(100) }),
    reply: fileReply,
    errors: ['UPLOAD_NOT_FOUND'],
  },
  uploadDelete: {
    method: 'POST',
    path: '/common/upload/delete',
    access: 'user',
    summary: 'Deletes the user’s own picture and its readings, at once',
    input: z.object({ filePath }),
    reply: emptyReply,
    errors: ['UPLOAD_NOT_FOUND'],
  },
  ocrIdCardFace: ocr('/common/ocrIdCardFace', 'Reads the side of an identity card that has the portrait'),
  ocrIdCardBack: ocr('/common/ocrIdCardBack', 'Reads the side of an identity card that has the emblem'),
  ocrPassport: ocr('/common/ocrPassport', 'Reads the page of a passport that has the portrait'),
})
