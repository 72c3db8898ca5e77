import fc from 'fast-check';

// Property tests draw the same examples in every run: a failure is repeated by running the test again.
fc.configureGlobal({ seed: 20_260_101 });
