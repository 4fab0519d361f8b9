import { create } from 'zustand'

interface State {
  /** Stays true, so that the host is mounted once. */
  readonly used: boolean
  readonly asked: { readonly answer: (password: string | undefined) => void } | undefined
}

/** State of the payment password dialog; its host is in features/account/web. */
export const usePayPasswordStore = create<State>(() => ({ used: false, asked: undefined }))

/**
 * Asks for the payment password before a sensitive action: showing a card number, paying from the balance. Users without one set it first. Resolves
 * with the six digits once the server has verified them, to be sent with the call that needs them, or with undefined if the user closed the dialog.
 * Never store the result.
 * @public for the features whose pages ask
 */
export function requestPayPassword(): Promise<string | undefined> {
  return new Promise((resolve) => {
    usePayPasswordStore.getState().asked?.answer(undefined)
    const answer = (password: string | undefined) => {
      usePayPasswordStore.setState({ asked: undefined })
      resolve(password)
    }
    usePayPasswordStore.setState({ used: true, asked: { answer } })
  })
}
