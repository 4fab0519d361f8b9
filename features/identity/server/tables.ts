/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */
import type { Lang } from '#platform/shared/languages.ts'

export interface IdentityChecksRow {
  readonly id: string
  readonly seq: bigint
  readonly userId: string
  readonly vendor: string
  readonly vendorRef: string | null
  readonly url: string
  readonly state: 'processing' | 'passed' | 'failed' | 'other' | 'expired'
  readonly returnPath: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly nextCheckAt: Date | null
  readonly endedAt: Date | null
  readonly subject: Buffer | null
}

export interface IdentityFilesRow {
  readonly id: string
  readonly userId: string
  readonly purpose: 'idFront' | 'idBack' | 'passport' | 'photo' | 'evidence' | 'unsaid'
  readonly state: 'expected' | 'kept' | 'refused' | 'gone'
  readonly type: string
  readonly bytes: number
  readonly width: number | null
  readonly height: number | null
  readonly reads: number
  readonly sealedReading: Buffer | null
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly keptAt: Date | null
}

export interface IdentityNumbersRow {
  readonly digest: Buffer
  readonly keyId: Buffer
  readonly userId: string
}

export interface IdentityPeopleRow {
  readonly userId: string
  readonly sealedKey: Buffer | null
  readonly status: 'started' | 'saved' | 'passed' | 'rejected' | 'review'
  readonly reason: 'us_taxpayer' | 'second_account' | 'listed' | 'operator' | null
  readonly noticeReadAt: Date | null
  readonly taxpayer: boolean | null
  readonly taxpayerAt: Date | null
  readonly method: 'face' | 'deposit' | null
  readonly paper: 'idcard' | 'passport' | null
  readonly sealedDraft: Buffer | null
  readonly sealedPerson: Buffer | null
  readonly savedAt: Date | null
  readonly facePassedAt: Date | null
  readonly paidAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface IdentitySandboxFacesRow {
  readonly ref: string
  readonly name: string
  readonly lang: Lang
  readonly returnUrl: string
  readonly state: 'open' | 'passed' | 'failed' | 'other'
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface IdentitySavesRow {
  readonly id: bigint
  readonly userId: string
  readonly method: string
  readonly savedAt: Date
}
