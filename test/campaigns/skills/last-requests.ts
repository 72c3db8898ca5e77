/** Requests that the weights were not fitted on, one for each skill. The minimum score was chosen with them. */
export const LAST = `
csv-total | what is the sum of the salary column in staff.csv
csv-group | break down the orders in this csv by product category
csv-join | match employees.csv and departments.csv on the department key
csv-dedupe | get rid of identical rows in the export
csv-to-json | transform the spreadsheet rows into JSON
json-repair | missing quotes and a dangling comma in this json, please mend it
json-format | indent this JSON by two spaces
json-diff | what differs between the staging and production json files
json-path | pull out every sku from the order JSON
json-schema | generate a schema that all these json examples satisfy
date-diff | days remaining until 31 December
date-add | add ninety days to the delivery date
date-parse | turn "March 3rd, 2025" into the ISO format
business-days | number of working days between Monday and the release, holidays do not count
time-zone | what time is it in Sydney when it is noon in London
unit-length | convert 180 cm to feet and inches
unit-weight | how many grams is a pound of flour
unit-temperature | is 100 Fahrenheit hot, what is it in Celsius
unit-volume | a recipe needs 2 cups of milk, how many millilitres
unit-data | express 123456789 bytes in megabytes
text-diff | show me line by line how version two of the letter differs from version one
text-wrap | my email has very long lines, break them at 78 columns
text-slug | create a nice url slug for the article headline
text-case | rename getUserName and friends to snake case
text-redact | hide phone numbers and card numbers in the chat before it is archived
extract-emails | which email addresses occur in this thread
extract-urls | give me every link in the document
extract-phones | find all phone numbers in the flyer
extract-dates | list the dates that appear in this letter
extract-amounts | which sums of money and currencies does the contract name
stats-mean | compute the mean and the mode of the ratings
stats-spread | variance of the daily temperatures
stats-percentile | compute the median and upper quartile, and the 95th percentile of load times
stats-correlation | how strongly are height and weight correlated
stats-regression | slope of the trend line for these data points
markdown-table | make the results a table with aligned columns in markdown
markdown-toc | create a table of contents for this long markdown file
markdown-to-html | turn my notes in markdown into an HTML page
html-to-text | clean the html of this mail so that only text is left
html-table | read the table on this HTML page
url-parse | what is the hostname and the path of https://a.example/x?y=1
url-encode | decode this percent-encoded string
base64 | turn this picture into base64 text
hash-text | md5 of this sentence
uuid-make | five random uuids please
currency-convert | change 250 pounds to Swiss francs at 1.12
interest-compound | savings of 5000 with compound interest for 12 years
loan-payment | what is the monthly rate of our mortgage
vat-split | how much VAT is in a gross price of 59.90
invoice-check | check whether total and VAT of the invoice match its lines
iban-check | does this IBAN have the right checksum
card-check | validate the credit card number the customer gave
isbn-check | is 978-3-16-148410-0 a valid ISBN
ean-check | verify the barcode of this product
email-check | the user typed an email address, is its syntax fine
sql-format | pretty print this SQL
sql-explain | tell me in plain words what this query returns
sql-params | replace the literals in this sql by placeholders
sql-ddl | CREATE TABLE for the columns in this sample
sql-merge | upsert these customers by their id
regex-explain | what is this regular expression supposed to match
regex-make | write me a regular expression for licence plates like these
cron-explain | when will the job with the cron line 30 4 1 * * run
cron-make | I want a job every Friday at 5 pm, give me the cron expression
glob-match | which of these files does **/*.spec.ts match
log-levels | count errors, warnings and infos in the log file
log-slow | find the requests that took the most time in the access log
log-errors | group similar error messages of yesterday's log
stack-trace | get the file and line numbers out of this stack trace
log-sessions | split these access logs by user session
semver-compare | sort the release tags by semantic version
semver-range | which of these versions match ^4.0.0
changelog-make | make release notes out of the git commits
license-detect | is the LICENSE file MIT or BSD
deps-outdated | are there newer major versions of our dependencies
color-convert | what is #1a2b3c in HSL
color-contrast | does white text on orange meet the contrast ratio of WCAG
color-palette | make a colour palette with five shades of teal
image-size | get width and height of the uploaded JPEG
svg-minify | strip comments and spaces from the svg icon
geo-distance | distance between these two GPS coordinates
geo-bearing | bearing from the harbour to the island
geo-box | compute the bounding box of the delivery locations
geo-encode | convert latitude and longitude to a geohash
address-parse | street, house number and postcode from these addresses
name-split | separate given names from surnames
name-match | find duplicate people whose names are spelled a bit differently
language-detect | which language did the customer write in
readability | grade level of this paragraph by Flesch
word-count | count characters and words of the tweet
keyword-extract | what are the key terms of this paper
text-similarity | give a similarity score for the two descriptions
sentiment | is the tone of this review negative
summary-extract | shorten the article to its five most important sentences
spell-check | correct the spelling in this paragraph
ics-make | create an .ics for the team event
vcard-make | vCard with phone and email for my new colleague
qr-payload | text for a QR code that joins the wifi
password-strength | rate the strength of this passphrase
rota-plan | make a fair shift schedule for six nurses
`;

/** Tasks that no skill fits, written with them. */
export const LAST_UNRELATED = `
write a toast for the retirement of my boss
how do I remove red wine from a carpet
who invented the telephone
fix the race condition in the scheduler
order a taxi to the station
suggest a vegetarian menu for eight guests
what is the plot of Hamlet
make the header sticky on mobile
how long should I boil an egg
describe this painting
set a timer for ten minutes
refactor the payment module into smaller functions
find me a guitar teacher
is it safe to take aspirin with wine
cancel the order from yesterday
why is the pipeline red
which phone has the best battery
remind me of mum's birthday
explain how a car engine works
write a limerick about a cat
restart the database server
play something relaxing
what do I need for a passport application
who won the game last night
extract the interface into a package of its own
how do I ask for a raise
what does this proverb mean
merge the feature branch into main
plan our summer holiday in Greece
dim the lights in the bedroom
post this on LinkedIn
translate this menu from Italian
should I sign this lease
lock the front door
invite Peter to the party
add comments to this function
how far away is the moon
teach me the basics of chess
recommend a thriller for the train
debug the websocket connection
`;
