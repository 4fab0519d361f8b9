import { create } from 'zustand'
import { currentLang } from '#platform/web/i18n.ts'
import { keep, kept } from '#platform/web/state/storage.ts'
import type { PhoneInput } from '../../phone.ts'
import type { Way } from '../fields/identity-field.tsx'

export type AuthMode = 'login' | 'register' | 'reset'
export type Method = 'code' | 'password'

/** Input of the sign-in dialog. Changing the form or reloading the page keeps the fields above `password`. */
export interface Draft {
  readonly mode: AuthMode
  readonly way: Way
  readonly method: Method
  readonly phone: PhoneInput
  readonly email: string
  readonly inviteCode: string
  /** Undefined until the user touches the box: the operator's setting decides. */
  readonly agreed: boolean | undefined
  readonly redirect: string | undefined
  // Only in memory:
  readonly password: string
  readonly newPassword: string
  readonly confirm: string
  readonly codes: Readonly<Record<string, string>>
}

const KEY = 'mx.sign-in'
const WAY = 'way'
const SECRETS = { password: '', newPassword: '', confirm: '', codes: {} }

/** Default method: mobile and code for Chinese readers, e-mail for others; then the one used last. */
function fresh(): Draft {
  const last = kept(WAY)
  const isChinese = currentLang() === 'zh'
  const way = last === 'mobile' || last === 'email' ? last : isChinese ? 'mobile' : 'email'
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

function restored(): Draft {
  try {
    return { ...fresh(), ...(JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Draft>), ...SECRETS }
  } catch {
    return fresh()
  }
}

export const useDraft = create<Draft>(restored)

export function setDraft(change: Partial<Draft>): void {
  useDraft.setState(change)
  const { password: _, newPassword: __, confirm: ___, codes: ____, ...rest } = useDraft.getState()
  try {
    sessionStorage.setItem(KEY, JSON.stringify(rest))
  } catch {
    // Without storage it lasts as long as the page.
  }
}

export function setDraftCode(mode: AuthMode, code: string): void {
  setDraft({ codes: { ...useDraft.getState().codes, [mode]: code } })
}

/** Clears the draft after sign-in, except the method for next time. */
export function clearDraft(): void {
  keep(WAY, useDraft.getState().way, 365 * 86_400_000)
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing was kept.
  }
  useDraft.setState({ ...fresh(), way: useDraft.getState().way })
}
