import { create } from 'zustand'

const SWITCH = 'mx.dev.support'

/** True if the developer panel has turned the support widget off in this tab; survives reloads. */
export const useSupportSwitch = create<{ readonly isOff: boolean }>(() => ({ isOff: readSwitch() }))

function readSwitch(): boolean {
  try {
    return sessionStorage.getItem(SWITCH) === 'off'
  } catch {
    return false // No storage, or rendered on the server.
  }
}

export function switchSupport(isOn: boolean): void {
  try {
    if (isOn) sessionStorage.removeItem(SWITCH)
    else sessionStorage.setItem(SWITCH, 'off')
  } catch {
    // For this page only.
  }
  useSupportSwitch.setState({ isOff: !isOn })
}
