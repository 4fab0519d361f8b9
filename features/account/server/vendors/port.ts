import type { ConfigOf } from '#platform/server/config.ts'
import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { JWTVerifyGetKey } from 'jose'
import type { accountConfig } from '../config.ts'

/** Identity asserted by a sign-in vendor. */
export interface SignInPerson {
  /** The vendor's stable id of the person. */
  readonly subject: string
  readonly email: string
  /** The vendor verified the mailbox. */
  readonly emailVerified: boolean
  readonly name: string
}

export interface VendorTokens {
  readonly idToken: string | undefined
  readonly accessToken: string | undefined
  /** Nonce that the ID token must carry. */
  readonly nonce: string
}

/** A sign-in vendor. */
export interface SignInVendor {
  readonly clientId: string
  /** True for our fake provider. */
  readonly sandbox: boolean
  /** URL of the consent page for this state and nonce; the browser appends `&redirect_uri=` of its own origin. */
  authorizeUrl(ask: { readonly state: string; readonly nonce: string }): string
  /** Returns undefined if any token is invalid; throws `SupplierError` if the vendor did not respond. */
  personOf(tokens: VendorTokens): Promise<SignInPerson | undefined>
}

/** Facts of an access token, as returned by its vendor. */
export interface AccessTokenFacts {
  readonly audience: string
  readonly subject: string
  readonly email: string
  readonly emailVerified: boolean
  readonly expiresInSeconds: number
}

/** Endpoints and keys of an OpenID provider, and how its tokens are checked. */
export interface OpenIdProvider {
  readonly clientId: string
  readonly sandbox: boolean
  /** Accepted issuers; ID tokens of others are refused. */
  readonly issuers: readonly string[]
  readonly authorizePage: string
  readonly keys: JWTVerifyGetKey
  readAccessToken(token: string): Promise<AccessTokenFacts | undefined>
  now(): Date
}

export interface SignInTools extends SupplierTools {
  /** Signs under the installation's key. */
  readonly sign: (text: string) => string
}

export type GoogleConfig = ConfigOf<typeof accountConfig>

export type SignInProvider = SupplierVendor<SignInVendor, SignInTools>
