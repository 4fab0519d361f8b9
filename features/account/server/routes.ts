import { bind } from '#platform/server/feature.ts'
import { accountContract } from '../contract.ts'
import { factorsContract } from '../contract-factors.ts'
import { historyContract } from '../contract-history.ts'
import { payPasswordContract } from '../contract-pay-password.ts'
import { profileContract } from '../contract-profile.ts'
import { securityContract } from '../contract-security.ts'
import { closeCheck } from './leaving/close-check.ts'
import { codeLogin, passwordLogin } from './sign-in/login.ts'
import { deleteAccount } from './leaving/delete-account.ts'
import { endOtherSessions, endUserSession, logout } from './sessions/end-sessions.ts'
import {
  addUserPasskey,
  confirmAuthenticator,
  createUserPasskeyOptions,
  readFactors,
  removeAuthenticator,
  removeUserPasskey,
  renewUserRecoveryCodes,
  startAuthenticator,
  createUserStepUpChallenge,
} from './factors/factors.ts'
import { exportData } from './leaving/export-data.ts'
import { googleLogin, googleStart } from './sign-in/google-login.ts'
import { initPassword, resetPassword, updatePassword } from './passwords/change-passwords.ts'
import { readGradualStatus, readInfo } from './profile/read-info.ts'
import { listUserSessions } from './sessions/list-sessions.ts'
import { modifyPayPassword, resetPayPassword, setPayPassword, verifyPayPassword } from './pay-password/change-pay-password.ts'
import { preferences, updateInvoiceDetails, updateMailChoices, updateUserInfo, useTips } from './profile/update-profile.ts'
import { registerUser } from './sign-in/register.ts'
import { securityHistory } from './history/security-history.ts'
import { sendEmailCode, sendMobileCode, sendNewMobileCode, sendOwnCode } from './codes/send-code.ts'
import { signInOptions } from './sign-in/sign-in-options.ts'
import { verifyStepUp } from './factors/step-up.ts'
import { updateEmail } from './contacts/update-email.ts'
import { updateMobile } from './contacts/update-mobile.ts'
import { verifyEmail } from './contacts/verify-email.ts'
import { verifyOldMobile } from './contacts/verify-old-mobile.ts'

export const accountRoutes = [
  bind(factorsContract, {
    ...{ factors: readFactors, startAuthenticator, confirmAuthenticator, removeAuthenticator, renewRecovery: renewUserRecoveryCodes },
    ...{ passkeyOptions: createUserPasskeyOptions, addPasskey: addUserPasskey, removePasskey: removeUserPasskey, stepUpChallenge: createUserStepUpChallenge },
  }),
  bind(accountContract, {
    signInOptions,
    passwordLogin,
    codeLogin,
    register: registerUser,
    googleStart,
    googleLogin,
    sendEmailCode,
    sendLoginCode: sendMobileCode('login'),
    sendRegisterCode: sendMobileCode('register'),
    sendPasswordCode: sendMobileCode('updatePassword'),
    resetPassword,
    logout,
    info: readInfo,
    validateLogin: async (ctx) => ({ valid: ctx.userId !== '' }),
  }),
  bind(securityContract, {
    sendStepUpCode: (ctx, { by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'stepUp', by, captchaVerifyParam }),
    stepUp: verifyStepUp,
    initPassword,
    updatePassword,
    sendPayPasswordCode: (ctx, { x, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'payPassword', by: x, captchaVerifyParam }),
    sendOwnCode: (ctx, { type, by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: type, by, captchaVerifyParam }),
    verifyEmail,
    updateEmail,
    sendOldMobileCode: (ctx, { by, captchaVerifyParam }) => sendOwnCode(ctx, { purpose: 'updateMobile', by, captchaVerifyParam }),
    verifyOldMobile,
    sendNewMobileCode,
    updateMobile,
    sessions: listUserSessions,
    endSession: endUserSession,
    endOtherSessions,
    exportData,
    closeCheck,
    deleteAccount,
  }),
  bind(historyContract, { securityHistory }),
  bind(profileContract, {
    updateUserInfo,
    preferences,
    updateInvoiceDetails,
    updateMailChoices,
    isGradual: readGradualStatus,
    useTips,
  }),
  bind(payPasswordContract, { setPayPassword, verifyPayPassword, modifyPayPassword, resetPayPassword }),
]
