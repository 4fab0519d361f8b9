import type * as WebAuthn from '@simplewebauthn/server'
import { loadPackage } from '../load-package.ts'

/** Passkeys of operators and customers: bound to an origin, always with the person's verification. */

/** Loads the package lazily: it has eighty files with their ASN.1, and few users sign in with passkeys. */
const loadWebAuthn = () => loadPackage<typeof WebAuthn>('@simplewebauthn/server')

/** Lifetime of a challenge. */
export const CHALLENGE_MS = 5 * 60_000

export interface StoredPasskey {
  readonly id: string
  readonly publicKey: Buffer
  readonly counter: bigint
}
export interface NewPasskey {
  readonly id: string
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}
interface PasskeyChallenge {
  readonly challenge: string
  readonly options: Record<string, unknown>
}
const toPasskeyChallenge = (options: { readonly challenge: string }): PasskeyChallenge => ({
  challenge: options.challenge,
  options: options as unknown as Record<string, unknown>,
})

/** Options for signing in with one of the `known` passkeys, or with any if that is empty. */
export async function createSignInChallenge({ hostname }: URL, known: readonly { readonly id: string }[]): Promise<PasskeyChallenge> {
  return toPasskeyChallenge(
    await loadWebAuthn().generateAuthenticationOptions({ rpID: hostname, userVerification: 'required', allowCredentials: known.map(({ id }) => ({ id })) }),
  )
}

/** Verifies a sign-in and returns its counter; undefined if it is invalid. */
export async function verifyPasskey(
  { origin, hostname }: URL,
  passkey: StoredPasskey,
  { challenge, credential }: { readonly challenge: string; readonly credential: object },
): Promise<number | undefined> {
  const verdict = await loadWebAuthn()
    .verifyAuthenticationResponse({
      response: credential as WebAuthn.AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: Number(passkey.counter) },
      requireUserVerification: true,
    })
    .catch(() => undefined)
  return verdict?.verified ? verdict.authenticationInfo.newCounter : undefined
}

export interface PasskeyOwner {
  readonly id: string
  readonly name: string
  readonly displayName: string
}

/** Options for registering a new passkey. */
export async function createRegistrationChallenge(
  { hostname }: URL,
  brand: string,
  { owner, known }: { readonly owner: PasskeyOwner; readonly known: readonly { readonly id: string }[] },
): Promise<PasskeyChallenge> {
  return toPasskeyChallenge(
    await loadWebAuthn().generateRegistrationOptions({
      rpName: brand,
      rpID: hostname,
      userName: owner.name,
      userDisplayName: owner.displayName,
      userID: new Uint8Array(Buffer.from(owner.id)),
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: known.map(({ id }) => ({ id })),
    }),
  )
}

/** Verifies a registration and returns the new passkey; undefined if it is invalid. */
export async function verifyNewPasskey({ origin, hostname }: URL, challenge: string, credential: object): Promise<NewPasskey | undefined> {
  const verdict = await loadWebAuthn()
    .verifyRegistrationResponse({
      response: credential as WebAuthn.RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: hostname,
      requireUserVerification: true,
    })
    .catch(() => undefined)
  if (!verdict?.verified) return undefined
  const { id, publicKey, counter, transports = [] } = verdict.registrationInfo.credential
  return { id, publicKey: Buffer.from(publicKey), counter, transports }
}
