import { create } from 'zustand'
import { getCurrentLang } from '#platform/web/i18n.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import type { PhoneInput } from '../../phone.ts'
import type { ContactWay } from '../fields/identity-field.tsx'
import { readsHan } from '#platform/shared/languages.ts'

export type AuthMode = 'login' | 'register' | 'reset'
export type AuthMethod = 'code' | 'password'

/** Input of the sign-in dialog. Changing the form or reloading the page keeps the fields above `password`. */
export interface AuthDraft {
  readonly mode: AuthMode
  readonly way: ContactWay
  readonly method: AuthMethod
  readonly phone: PhoneInput
  readonly email: string
  readonly inviteCode: string
  /** Undefined until the user changes the checkbox; the operator's setting applies until then. */
  readonly agreed: boolean | undefined
  readonly redirect: string | undefined
  // Kept in memory only:
  readonly password: string
  readonly newPassword: string
  readonly confirm: string
  readonly codes: Readonly<Record<string, string>>
}

const KEY = 'mx.sign-in'
const WAY = 'way'
const SECRETS = { password: '', newPassword: '', confirm: '', codes: {} }

/** Default method: mobile and code for Chinese readers, e-mail for others; then the one used last. */
function createDraft(): AuthDraft {
  const last = readStored(WAY)
  const way = last === 'mobile' || last === 'email' ? last : readsHan(getCurrentLang()) ? 'mobile' : 'email'
  const method = way === 'mobile' ? 'code' : 'password'
  return {
    mode: 'login',
    way,
    method,
    phone: { region: '86', number: '' },
    email: '',
    inviteCode: '',
    agreed: undefined,
    redirect: undefined,
    ...SECRETS,
  }
}

function restoreDraft(): AuthDraft {
  try {
    return { ...createDraft(), ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<AuthDraft>), ...SECRETS }
  } catch {
    return createDraft()
  }
}

export const useAuthDraft = create<AuthDraft>(restoreDraft)

export function setDraft(change: Partial<AuthDraft>): void {
  useAuthDraft.setState(change)
  const { password: _, newPassword: __, confirm: ___, codes: ____, ...rest } = useAuthDraft.getState()
  try {
    sessionStorage.setItem(KEY, JSON.stringify(rest))
  } catch {
    // Without storage, the draft lasts until the page is left.
  }
}

export function setDraftCode(mode: AuthMode, code: string): void {
  setDraft({ codes: { ...useAuthDraft.getState().codes, [mode]: code } })
}

/** Clears the draft after sign-in, except the method for next time. */
export function clearDraft(): void {
  storeValue(WAY, useAuthDraft.getState().way, 365 * 86_400_000)
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was kept.
  }
  useAuthDraft.setState({ ...createDraft(), way: useAuthDraft.getState().way })
}
