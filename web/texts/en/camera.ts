/** Texts of the scanner's camera. */
export const en = {
  label: 'Camera',
  asking: 'The camera is being opened. If the browser asks, allow it.',
  off: 'The camera is off.',
  turnOn: 'Turn the camera on',
  turnOff: 'Turn the camera off',
  aim: 'Hold the code into the frame',
  lightOn: 'Light on',
  lightOff: 'Light off',
  zoom: 'Zoom',
  which: 'Which camera',
  numbered: (number: number) => `Camera ${number}`,
  retry: 'Try again',
  typeInstead: 'Typing a code and a hand scanner work without the camera.',
  address: 'Address of this page',
  openBrowser: 'Open in the browser',
  deviceRefuses:
    'If it is allowed there already, the device may refuse the browser itself: look for the camera under privacy in its settings.',
  troubles: {
    insecure: {
      title: 'Cameras work on https pages only',
      text: 'This page was opened by http. Open it by an address that begins with https://, or ask the operator of the service for one.',
    },
    unsupported: {
      title: 'This browser gives pages no camera',
      text: 'A current version of Chrome, Edge, Firefox or Safari does.',
    },
    'in-app': {
      title: 'This app keeps the camera from the page',
      text: 'The page was opened inside of another app. Open it in Chrome or Safari: by the menu of the app, or with this address.',
    },
    refused: {
      title: 'The browser may not use the camera',
      text: 'It was not allowed, here or some time before.',
    },
    none: {
      title: 'No camera was found',
      text: 'Plug one in, and it is used at once.',
    },
    busy: {
      title: 'Another program is using the camera',
      text: 'Close video calls and other tabs that show the camera, then try again.',
    },
    lost: {
      title: 'The camera is gone',
      text: 'It was unplugged, or the device has taken it away.',
    },
    failed: {
      title: 'The camera could not be opened',
      text: 'The browser does not say why.',
    },
    decoder: {
      title: 'Codes cannot be read by the camera right now',
      text: 'The part of the page that reads them was not loaded, or has stopped.',
    },
  },
  howToAllow: {
    chromeAndroid: 'Tap the sign to the left of the address, then Permissions, and allow the camera.',
    samsung: 'Tap the lock next to the address, then Permissions, and allow the camera.',
    firefoxAndroid: 'Tap the lock next to the address, and allow the camera.',
    safariIos:
      'Tap the sign next to the address, then the three dots and Website Settings, and set Camera to Allow. For the icon on the home screen: Settings, Apps, Safari, Camera.',
    otherIos: 'Open Settings, Apps, then this browser, and switch Camera on.',
    firefox: 'Click the crossed-out camera to the left of the address, take the block away, and try again.',
    safari: 'In the menu Safari, choose Settings for this website, and set Camera to Allow.',
    chromium: 'Click the sign to the left of the address, allow the camera, and try again.',
    other: 'Allow the camera for this page in the settings of the browser.',
  },
};
