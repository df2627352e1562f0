/// Sequences that fail under a patch of `Tests/AccountMutants`, shrunk, as ``AccountModelTests`` prints them.
enum AccountModelCases {
    /// By the patch under which it failed.
    static let kept: [(patch: String, events: String)] = [
        ("finding-1", "presentAccessToken(12951,34233,2388,64579)"),
        ("finding-10", "signInUnderName(50978,26280,56941,6803)"),
        (
            "finding-2",
            """
            presentIDToken(5345,44920,37656,1592) openPage(62289,34183,61098,6576) changeAddress(217,47789,55585,23678) \
            answerPage(177,6101,20385,33814)
            """
        ),
        (
            "finding-3",
            """
            presentAccessToken(40127,64522,33477,52127) openCode(12983,16352,1123,9144) openPage(59461,38069,59299,40995)
            """
        ),
        (
            "finding-4",
            """
            presentIDToken(25633,64306,8853,11055) changePassword(21991,43001,57564,8653) passMonth(21514,38367,782,1912) \
            unlink(60197,49004,4618,60699)
            """
        ),
        (
            "finding-5",
            """
            openPage(26180,26901,36205,35459) answerPage(39551,58660,40451,43583) presentOwnIDToken(11026,15284,28911,24056)
            """
        ),
        (
            "finding-6",
            """
            openPage(10455,45991,18452,60139) answerPage(58754,58397,22606,26423) createUser(52357,50596,3123,19817) \
            tamper(33401,52938,59976,32520)
            """
        ),
        (
            "finding-8",
            """
            openPage(8346,51303,12909,23391) answerPage(14950,59406,12418,12790) enroll(10032,56789,14852,49502) \
            handOverAddress(26804,38153,1960,16118) presentAccessToken(49787,2170,64182,47274)
            """
        ),
        (
            "mutant-01",
            """
            openPage(13239,58958,48132,44440) createUser(27859,10150,34360,36020) presentIDToken(55974,47500,59205,38969) \
            openPage(25985,49099,34658,15162) openPage(24712,55361,6564,11075) openPage(14391,62729,2848,59578) \
            answerPage(48605,22125,40938,14154)
            """
        ),
        (
            "mutant-02",
            """
            presentIDToken(55974,47500,59205,38969) presentIDToken(31184,48968,33909,21258) handOverAddress(62396,41951,49688,40324) \
            handOverAddress(5829,27452,13618,28889) presentIDToken(10892,469,25605,6963)
            """
        ),
        (
            "mutant-03",
            """
            presentAccessToken(56829,17978,1425,53575) openPage(14765,27027,15876,6652) openPage(3711,15377,26245,55175) \
            openPage(62289,34183,61098,6576) answerPage(177,6101,20385,33814)
            """
        ),
        ("mutant-04", "createUser(910,27744,65096,52362) presentIDToken(45876,46239,60507,59153)"),
        (
            "mutant-05",
            """
            presentIDToken(40484,24335,33573,22472) openPage(25985,49099,34658,15162) openPage(24712,55361,6564,11075) \
            presentIDToken(31184,48968,33909,21258) answerPage(52822,52788,10555,24586)
            """
        ),
        (
            "mutant-06",
            """
            createUser(34696,31166,57180,11119) createUser(54421,18390,46841,43861) presentIDToken(16639,49428,8877,64148) \
            presentIDToken(24773,3024,24450,41695) useHandle(52263,4390,15228,30932)
            """
        ),
        (
            "mutant-07",
            """
            presentIDToken(15116,49977,9000,47108) enroll(55154,20288,11326,25411) presentIDToken(11772,24420,25902,59533)
            """
        ),
        (
            "mutant-08",
            """
            presentIDToken(33072,30041,25167,33292) signInAnonymously(60207,55082,17306,45668) \
            presentIDToken(28389,47019,33094,29963)
            """
        ),
        (
            "mutant-09",
            """
            createUser(28145,48484,46326,33727) createUser(60208,20357,60982,42164) passMinutes(12901,11585,51132,63185) \
            enroll(42790,21250,46554,25944) openPage(16523,36629,2467,55747) answerPage(24611,50358,62798,10865)
            """
        ),
        (
            "mutant-10",
            """
            createUser(52860,23290,51477,28902) signInAnonymously(63501,20476,48008,32820) changeAddress(6828,39368,44250,31210) \
            presentIDToken(4951,38021,21535,13474)
            """
        ),
        (
            "mutant-11",
            """
            presentAccessToken(31911,25914,41745,12052) presentIDToken(45091,60204,9286,39580) \
            presentIDToken(4466,64644,49908,46554) unlink(36561,39540,33920,2496)
            """
        ),
        (
            "mutant-12",
            """
            openPage(33814,23221,41915,28879) answerPage(38764,48836,42259,27379) useHandle(20890,549,56895,20869) \
            openPage(54488,44372,46969,23431) openPage(44392,5987,13078,46465) openPage(30668,26629,29313,2658) \
            changePassword(9246,15695,29661,43233) signInByPassword(31093,44716,1343,30182) openPage(13003,41633,28425,36255) \
            openPage(53209,33985,21572,49238) unlink(8309,24255,22674,27550) answerPage(76,64789,63230,12490)
            """
        ),
        (
            "mutant-13",
            """
            presentAccessToken(31911,25914,41745,12052) presentIDToken(45091,60204,9286,39580) \
            presentIDToken(4466,64644,49908,46554) presentIDToken(57878,57474,36960,40600)
            """
        ),
        (
            "mutant-14",
            """
            openPage(8865,55426,61718,3690) answerPage(46704,27118,27267,7658) passMinutes(64000,43981,27107,36313) \
            useHandle(8840,5059,16332,27811) enroll(11058,53250,31457,56614)
            """
        ),
        (
            "mutant-15",
            """
            createUser(49666,38536,26741,4930) signInByPassword(8053,1048,50446,51287) changeAddress(15420,41462,59296,36818)
            """
        ),
        (
            "mutant-16",
            """
            presentIDToken(40484,24335,33573,22472) presentIDToken(10892,469,25605,6963) presentIDToken(52322,11333,37814,58139)
            """
        ),
        (
            "mutant-17",
            """
            openPage(22668,5802,13845,50865) openPage(58518,55105,4578,16731) answerPage(52764,43849,43044,36955) \
            answerPage(58231,2998,20450,9094) linkPassword(3148,64600,3971,43098) useHandle(4895,58519,29307,60329) \
            signInByPassword(61739,32057,19382,19861) useHandle(45984,36620,48808,33494)
            """
        ),
        (
            "mutant-18",
            """
            presentIDToken(54986,24403,18063,31945) linkPassword(34494,31966,22158,22169) signInByPassword(61843,10723,48566,59154) \
            openPage(5093,11187,58470,15168) answerPage(1077,55407,45305,59722) crash(42165,25801,35946,41533) \
            useHandle(45887,17577,33632,15298)
            """
        ),
        (
            "mutant-19",
            """
            openPage(53706,18717,13483,24854) answerPage(34933,54989,47900,64918) openPage(36380,36706,12671,30866) \
            handOverAddress(32086,30483,18294,2746) openPage(10192,31216,33352,24215) openPage(54775,14551,14553,1438) \
            openPage(7296,31821,11817,34462) answerPage(46889,38533,27789,31373) enroll(26965,33224,11952,29613) \
            presentIDToken(34340,34321,19023,4204)
            """
        ),
        (
            "mutant-20",
            """
            openPage(57090,42499,64331,39382) createUser(25408,40132,31382,44474) openPage(50106,53192,63710,63244) \
            presentIDToken(3997,42120,33057,39416) openPage(40886,43550,60576,58871) openPage(64994,58320,19293,40235) \
            changePassword(28561,62507,7703,44380) answerPage(45339,31170,35803,9643) enroll(4085,22862,23076,28984)
            """
        ),
        // The model judged a sign-in by what was left of a person's accounts after one was unlinked.
        (
            "none",
            """
            openPage(19711,19568,26377,59348) presentAccessToken(58797,65237,7971,56880) openPage(14541,16902,35814,57267) \
            openPage(15280,39945,35952,33605) signInBeside(52731,52767,18841,47619) openPage(47466,30825,62473,9341) \
            openPage(18432,30464,42721,60117) openPage(59482,42140,45268,65368) openPage(15843,54106,29879,52521) \
            answerPage(39136,42035,41564,57774) unlink(37996,3680,7242,59933)
            """
        ),
        (
            "none",
            """
            presentIDToken(47398,11486,14958,5259) openCode(9864,24355,28653,33709) openCode(27520,31218,17149,55734) \
            passMinutes(8554,7328,23707,58280) openCode(2414,48474,62853,10917) passMinutes(10522,14958,39415,24132) \
            answerCode(19711,25212,37077,20395)
            """
        ),
        (
            "none",
            """
            openPage(4899,56448,7054,54720) openPage(48069,28425,54654,54065) answerPage(33932,22620,21918,38521) \
            useHandle(2413,53498,9981,39757) useHandle(32024,56698,53419,48035)
            """
        ),
        (
            "none",
            """
            createUser(26548,26230,44962,23442) handOverAddress(10055,17613,51324,25498) handOverAddress(41008,35655,41213,52407) \
            presentIDToken(52570,42419,33771,5840) signInBeside(50614,55877,63304,23225) enroll(38119,32993,45752,14014) \
            presentIDToken(17905,52769,34333,44779)
            """
        ),
    ]
}
