export { canUsePasskey, createPasskey, signWithPasskey } from '#platform/web/passkey.ts'
