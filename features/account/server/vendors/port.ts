import type { JWTVerifyGetKey } from 'jose'

/** Who a vendor says somebody is. */
export interface Person {
  /** The vendor's own, unchanging id of the person. */
  readonly subject: string
  readonly email: string
  /** The vendor saw a proof of the mailbox. */
  readonly emailVerified: boolean
  readonly name: string
}

export interface VendorTokens {
  readonly idToken: string | undefined
  readonly accessToken: string | undefined
  /** The ID token must carry it. */
  readonly nonce: string
}

/** A vendor whose account signs in here. */
export interface SignInVendor {
  readonly clientId: string
  /** A stand-in of ours. */
  readonly sandbox: boolean
  /** The consent page for this state and nonce; the browser adds `&redirect_uri=` of its own origin. */
  authorizeUrl(ask: { readonly state: string; readonly nonce: string }): string
  /** Undefined when anything about the tokens is not right; throws `SupplierError` where the vendor gave no answer. */
  personOf(tokens: VendorTokens): Promise<Person | undefined>
}

/** Facts of an access token, as the vendor that issued it tells. */
export interface AccessTokenFacts {
  readonly audience: string
  readonly subject: string
  readonly email: string
  readonly emailVerified: boolean
  readonly expiresInSeconds: number
}

/** Where an OpenID provider is and how its tokens are checked. */
export interface OpenIdProvider {
  readonly clientId: string
  readonly sandbox: boolean
  /** Names under which it issues; ID tokens of another issuer are refused. */
  readonly issuers: readonly string[]
  readonly authorizePage: string
  readonly keys: JWTVerifyGetKey
  readAccessToken(token: string): Promise<AccessTokenFacts | undefined>
  now(): Date
}
