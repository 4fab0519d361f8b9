import { isApiError } from '#platform/web/calls/api-error.ts'
import { closeDialog } from '#platform/web/state/dialogs.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { BLOCKED_WARNING_MS, openWindow } from '#ui/open-window.ts'
import type { LoginReply } from '../../../contract.ts'
import { userAccountApi } from '../../account-api.ts'

/**
 * Google redirects to RETURN_PATH with its response in the fragment. That page passes it to the tab that asked over a BroadcastChannel,
 * because the opener policy cuts `window.opener` on purpose. If no window can be opened, this tab goes there and the return page finishes the
 * sign-in itself.
 */
export const RETURN_PATH = '/oauth/google'
const CHANNEL = 'mx.google'
const STATE = 'mx.google'

export interface GoogleAnswer {
  readonly state: string
  readonly accessToken: string | undefined
  readonly idToken: string | undefined
  readonly error: string | undefined
}

/** Pending request of this tab; only a response with the same state is accepted, once. */
interface PendingSignIn {
  readonly state: string
  readonly clientId: string
  readonly redirect: string | undefined
}

export function parseGoogleAnswer(fragment: string): GoogleAnswer {
  const found = new URLSearchParams(fragment.replace(/^#/, ''))
  const one = (name: string) => found.get(name) ?? undefined
  return { state: found.get('state') ?? '', accessToken: one('access_token'), idToken: one('id_token'), error: one('error') }
}

export function takePendingSignIn(state: string): PendingSignIn | undefined {
  try {
    const asked = JSON.parse(sessionStorage.getItem(STATE) ?? 'null') as PendingSignIn | null
    if (!asked || asked.state !== state) return undefined
    sessionStorage.removeItem(STATE)
    return asked
  } catch {
    return undefined
  }
}

async function startSignIn(clientId: string, redirect: string | undefined): Promise<{ asked: PendingSignIn; url: string }> {
  const { state, authorizeUrl } = await userAccountApi.googleStart()
  const asked = { state, clientId, redirect }
  sessionStorage.setItem(STATE, JSON.stringify(asked))
  return { asked, url: `${authorizeUrl}&redirect_uri=${encodeURIComponent(location.origin + RETURN_PATH)}` }
}

export async function finishGoogleSignIn(asked: PendingSignIn, { accessToken, idToken }: GoogleAnswer): Promise<LoginReply> {
  return userAccountApi.googleLogin({ accessToken, idToken, clientId: asked.clientId, state: asked.state, inviteCode: readStored('invite') })
}

/** Passes a response to the tab that asked; calls `onTaken` if that tab confirms. */
export function passAnswerToOpener(answer: GoogleAnswer, onTaken: () => void): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = (event: MessageEvent<{ taken?: string }>) => {
    if (event.data.taken === answer.state) onTaken()
  }
  channel.postMessage({ answer })
}

/** Signs in through a popup. Undefined if the user closed it or declined. Must be called in a click handler. */
export async function signInByPopup(clientId: string, redirect: string | undefined, signal: AbortSignal): Promise<LoginReply | undefined> {
  const size = 'popup,width=480,height=640'
  const opened = openWindow('about:blank', 'google', size)
  const { asked, url } = await startSignIn(clientId, redirect).catch((error: unknown) => {
    opened?.close()
    throw error
  })
  if (!opened) {
    // gives the user time to read the warning about the blocked popup before this tab goes to Google
    await new Promise((resolve) => setTimeout(resolve, BLOCKED_WARNING_MS))
    leavePage(url)
    return new Promise(() => undefined)
  }
  opened.location.replace(url)
  const answer = await waitForAnswer(asked.state, signal)
  if (!answer || answer.error) return undefined
  takePendingSignIn(asked.state)
  return finishGoogleSignIn(asked, answer)
}

/** Signs in in this tab, for phones, where a popup becomes a tab that gets lost. */
export async function signInHere(clientId: string, redirect: string | undefined): Promise<void> {
  leavePage((await startSignIn(clientId, redirect)).url)
}

/** Closes the dialog, so that it is not open when Google redirects back. */
function leavePage(url: string): void {
  closeDialog('auth')
  location.assign(url)
}

function waitForAnswer(state: string, signal: AbortSignal): Promise<GoogleAnswer | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL)
    const done = (answer?: GoogleAnswer) => {
      channel.close()
      resolve(answer)
    }
    signal.addEventListener('abort', () => done())
    channel.onmessage = (event: MessageEvent<{ answer?: GoogleAnswer }>) => {
      const { answer } = event.data
      if (answer?.state !== state) return
      channel.postMessage({ taken: state })
      done(answer)
    }
  })
}

/** Checks for a refusal by Google, which the form shows as a quiet line instead of an alert (product.md 1.8). */
export const isSilentError = (error: unknown): boolean => isApiError(error) && error.errorName === 'GOOGLE_FAILED'
