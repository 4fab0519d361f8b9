import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const b64 = (data: Uint8Array | Buffer) => Buffer.from(data).toString('base64url')

/** A passkey in software: returns the responses of a browser and its authenticator, signed with its own key. */
export function createSoftPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  let counter = 0
  const clientData = (type: string, challenge: string, at = origin) => Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const authData = (flags: number, more: Buffer = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(flags), count, more])
  }
  const shell = { id: b64(rawId), rawId: b64(rawId), type: 'public-key', clientExtensionResults: {} }
  return {
    id: shell.id,
    register: (challenge: string) => {
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array<ArrayBuffer>>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      )
      const data = authData(0x45, Buffer.concat([Buffer.alloc(16), Buffer.of(0, rawId.length), rawId, Buffer.from(key)]))
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(data)],
        ]) as never,
      )
      return {
        ...shell,
        response: { clientDataJSON: b64(clientData('webauthn.create', challenge)), attestationObject: b64(attestation), transports: ['internal'] },
      }
    },
    /** `flags` 0x05: present and verified; 0x01: present only. */
    sign: (challenge: string, { at = origin, flags = 0x05 } = {}) => {
      const [client, data] = [clientData('webauthn.get', challenge, at), authData(flags)]
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return { ...shell, response: { clientDataJSON: b64(client), authenticatorData: b64(data), signature: b64(signature) } }
    },
    /** Simulates a cloned key: the counter decreases. */
    rewind: () => {
      counter = 0
    },
  }
}
