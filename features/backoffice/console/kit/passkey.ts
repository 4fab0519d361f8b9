export { canUsePasskey, makePasskey, signWithPasskey } from '#platform/web/passkey.ts'
